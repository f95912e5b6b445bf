import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { RefusalCode } from '../errors.ts'

interface Answer {
  readonly status: string
  readonly code: RefusalCode
  readonly detail: string
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'payload_too_large',
    detail: 'The URL and headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', code: 'validation_failed', detail: 'The request was not received in time.' },
}
const NO_HTTP: Answer = { status: '400 Bad Request', code: 'validation_failed', detail: 'Not a valid HTTP request.' }

/** Sends the usual error body for input that never becomes a request, then closes the connection. */
export const refuseNoRequest = ({ code = '' }: { code?: string }, socket: Socket): void => {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const answer = ANSWERS[code] ?? NO_HTTP
  const body = JSON.stringify({ detail: answer.detail, code: answer.code, request_id: randomUUID() })
  const head = `HTTP/1.1 ${answer.status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close`
  // Destroying the socket at once would discard the response.
  if (socket.writable) socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
  else socket.destroy()
}
