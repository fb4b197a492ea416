import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly at: number
}

/** A receiver of callbacks on this machine. It records every request, then responds as the test configures. */
export interface Receiver extends AsyncDisposable {
  readonly url: string
  readonly received: readonly Received[]
  answer: RequestListener
  /** Resolves once `count` callbacks have been received. */
  until(count: number, limitMs?: number): Promise<readonly Received[]>
}

export async function openReceiver(answer: RequestListener = (_, response) => void response.writeHead(204).end()): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      // webhook headers are not repeated
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      received.push({ path: request.url ?? '', headers, body, at: Date.now() })
      receiver.answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer,
    async until(count, limitMs = 60_000) {
      for (const end = Date.now() + limitMs; received.length < count; await sleep(10))
        if (Date.now() > end) throw new Error(`${received.length} of ${count} callbacks received in ${limitMs} ms`)
      return received
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}
