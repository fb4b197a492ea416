import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface SeenRequest {
  readonly method: string
  /** path and query */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A local HTTP service that responds as a test configures and records its requests. */
export class StubServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = []
  answer: (request: SeenRequest, response: ServerResponse) => unknown
  readonly #server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const received = { method, url, headers, body: await text(request) }
    this.seen.push(received)
    await this.answer(received, response)
  })

  private constructor(answer: StubServer['answer']) {
    this.answer = answer
  }

  static async open(answer: StubServer['answer']): Promise<StubServer> {
    const stub = new StubServer(answer)
    stub.#server.listen(0, '127.0.0.1')
    await once(stub.#server, 'listening')
    return stub
  }

  get url(): string {
    // a listening TCP server has an address with a port
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
