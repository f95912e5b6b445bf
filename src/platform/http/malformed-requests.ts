import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ApiErrorCode } from '../core/errors.ts'

interface MalformedRequestResponse {
  readonly status: string
  readonly code: ApiErrorCode
  readonly detail: string
}

const RESPONSES: Readonly<Record<string, MalformedRequestResponse>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'payload_too_large',
    detail: 'The URL and headers are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', code: 'validation_failed', detail: 'The request was not received in time.' },
}
const NOT_HTTP: MalformedRequestResponse = { status: '400 Bad Request', code: 'validation_failed', detail: 'Not a valid HTTP request.' }

/** Sends the usual error body for input that never becomes a request, then closes the connection. */
export const rejectMalformedRequests = ({ code = '' }: { code?: string }, socket: Socket): void => {
  if (code === 'ECONNRESET' || socket.destroyed) return
  const response = RESPONSES[code] ?? NOT_HTTP
  const body = JSON.stringify({ detail: response.detail, code: response.code, request_id: randomUUID() })
  const head = `HTTP/1.1 ${response.status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close`
  // Destroying the socket at once would discard the response.
  if (socket.writable) socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy())
  else socket.destroy()
}
