import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { listenerUrl } from '../../../foundation/http/listener-url.ts'

/** The parts of an OpenID Connect issuer that a gateway uses: discovery document and keys. */
export async function startIssuer(audience = 'civigraph') {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }]
  const server = createServer((request, response) => {
    const endpoint = (name: string): string => `${url}/${name}`
    const discovery = { issuer: url, jwks_uri: endpoint('keys'), token_endpoint: endpoint('token') }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(request.url === '/keys' ? { keys } : discovery))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = listenerUrl(server, '127.0.0.1')
  return {
    url,
    /** @param claims - added to the default claims; `aud` replaces the default */
    token: (claims: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      new SignJWT({ aud: audience, ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })
        .setIssuer(url)
        .setSubject('someone')
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
