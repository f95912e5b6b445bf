import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket, connect as socketTo } from 'node:net'

/**
 * A real Postgres behind a proxy that rejects everything Redshift (based on Postgres 8.0.2) does not support, with the error of a missing
 * function.
 */
export interface RedshiftProxy extends AsyncDisposable {
  readonly port: number
  /** Unsupported syntax that was sent. */
  readonly rejected: string[]
}

const UNSUPPORTED =
  /\b(json_\w+|jsonb\w*|row_to_json|array_agg|string_agg|unnest|lateral|ordinality|pg_control_system|shobj_description|pg_get_partkeydef|relispartition|attidentity|attgenerated|conparentid|lock_timeout|format|to_regclass|pg_extension|pg_collation|pg_get_function_\w+|prokind|regclass)\b|\bfilter\s*\(/i

const SSL_REQUEST = 80_877_103

export const createRedshiftProxy = async (port: number): Promise<RedshiftProxy> => {
  const refused: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer((caller) => {
    const server = socketTo(port, '127.0.0.1')
    let rest = Buffer.alloc(0)
    let started = false
    caller.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      for (;;) {
        const head = started ? 1 : 0
        if (rest.length < head + 4) return
        const length = head + rest.readInt32BE(head)
        if (rest.length < length) return
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        if (!started) started = message.readInt32BE(4) !== SSL_REQUEST
        else if (!refuses(message)) continue
        server.write(message)
      }
    })
    const refuses = (message: Buffer): boolean => {
      const [lacking] = /[QP]/.test(String.fromCharCode(message[0]!)) ? (UNSUPPORTED.exec(message.toString('utf8')) ?? []) : []
      if (lacking === undefined) return true
      refused.push(lacking)
      server.write(replaceText(`select redshift_has_no_${lacking.replace(/\W/g, '')}()`, message))
      return false
    }
    for (const [one, other] of [
      [caller, server],
      [server, caller],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
    server.pipe(caller)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    port: (proxy.address() as AddressInfo).port,
    rejected: refused,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

/** The same kind of message with another text: a simple query, or an unnamed parse without parameters. */
const replaceText = (sql: string, message: Buffer): Buffer => {
  const simple = message[0] === 0x51
  const body = Buffer.concat([Buffer.from(simple ? `${sql}\0` : `\0${sql}\0`), simple ? Buffer.alloc(0) : Buffer.alloc(2)])
  const head = Buffer.alloc(5)
  head[0] = message[0]!
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
