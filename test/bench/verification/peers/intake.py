"""What a team would write with FastAPI, asyncpg and Redis: takes a job, seals its images, stores both in one transaction, queues the id.

Run: DATABASE_URL=… REDIS_URL=… python3 -m uvicorn intake:app --app-dir test/bench/peers --port 0 [--workers 2]
Needs: fastapi uvicorn[standard] asyncpg redis cryptography orjson
"""

import base64
import json
import os
import secrets
import uuid
from contextlib import asynccontextmanager
from enum import Enum
from typing import Optional

import asyncpg
import redis.asyncio as redis
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel

VAULT = AESGCM(secrets.token_bytes(32))
API_KEY = os.environ["API_KEY"]


class DocumentType(str, Enum):
    CNI = "CNI"
    PASSPORT = "PASSPORT"
    TITRE_DE_SEJOUR = "TITRE_DE_SEJOUR"
    NATIONAL_ID = "NATIONAL_ID"


class DeclaredIdentity(BaseModel):
    first_name: str
    last_name: str
    date_of_birth: Optional[str] = None
    gender: Optional[str] = None
    nationality: Optional[str] = None


class SubmitJobRequest(BaseModel):
    citizen_code: str
    document_type: DocumentType
    country_code: str
    selfie_b64: str
    cni_recto_b64: str
    cni_verso_b64: Optional[str] = None
    declared_identity: DeclaredIdentity
    priority: str = "normal"
    callback_url: Optional[str] = None


class SubmitJobResponse(BaseModel):
    job_id: str
    status: str = "queued"
    queue_position: int = 0
    estimated_wait_seconds: int = 0


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.pool = await asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=4, max_size=16)
    app.state.redis = redis.from_url(os.environ["REDIS_URL"])
    yield
    await app.state.pool.close()
    await app.state.redis.aclose()


app = FastAPI(lifespan=lifespan)
PREFIX = os.environ.get("REDIS_PREFIX", "peer")


@app.post("/jobs/submit", status_code=202, response_model=SubmitJobResponse)
async def submit(job: SubmitJobRequest, x_service_api_key: str = Header()):
    if not secrets.compare_digest(x_service_api_key, API_KEY):
        raise HTTPException(401, "Invalid API key")
    job_id = str(uuid.uuid4())
    images = [base64.b64decode(image) for image in (job.selfie_b64, job.cni_recto_b64, job.cni_verso_b64) if image]
    header = json.dumps({"identity": job.declared_identity.model_dump(), "lengths": [len(image) for image in images]}).encode()
    record = b"".join([len(header).to_bytes(4, "big"), header, *images])
    key, key_nonce, nonce = secrets.token_bytes(32), secrets.token_bytes(12), secrets.token_bytes(12)
    wrapped = key_nonce + VAULT.encrypt(key_nonce, key, job_id.encode())
    sealed = nonce + AESGCM(key).encrypt(nonce, record, job_id.encode())
    async with app.state.pool.acquire() as connection:
        async with connection.transaction():
            await connection.execute(
                "insert into peer_job (id, citizen_code, document_type, country_code, priority, callback_url) values ($1, $2, $3, $4, $5, $6)",
                job_id, job.citizen_code, job.document_type.value, job.country_code, job.priority, job.callback_url,
            )
            await connection.execute("insert into peer_record (job_id, wrapped_key, sealed) values ($1, $2, $3)", job_id, wrapped, sealed)
    async with app.state.redis.pipeline(transaction=True) as pipe:
        pipe.rpush(f"{PREFIX}:queue:{job.priority}", job_id)
        pipe.llen(f"{PREFIX}:queue:{job.priority}")
        _, length = await pipe.execute()
    return SubmitJobResponse(job_id=job_id, queue_position=length - 1)
