import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** The answer to a statement: rows with the types of their columns, or an error of the server. */
export interface CqlAnswer {
  readonly columns?: Readonly<Record<string, CqlType>>
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly error?: string
}
export type CqlType = 'text' | 'int' | 'boolean' | 'uuid' | 'inet' | 'map' | 'list' | 'set'

/** A server that speaks version 4 of the native protocol of CQL, as far as the driver uses it, and answers statements with a function. */
export const createCassandraServer = async (answer: (cql: string) => CqlAnswer, { password, pageRows = 1_000 }: ServerOptions = {}) => {
  const statements: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= HEADER && rest.length >= HEADER + rest.readInt32BE(5)) {
        const frame = rest.subarray(0, HEADER + rest.readInt32BE(5))
        rest = rest.subarray(frame.length)
        socket.write(respond(frame))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const respond = (frame: Buffer): Buffer => {
    const [version, stream, operation, body] = [frame[0]!, frame.readInt16BE(2), frame[4]!, frame.subarray(HEADER)]
    const reply = (code: number, content: Buffer = Buffer.alloc(0)) => toFrame(stream, code, content)
    if (version !== 4) return reply(ERROR, toError(0x000a, 'Invalid or unsupported protocol version'))
    if (operation === OPTIONS) return reply(SUPPORTED, Buffer.from([0, 0]))
    if (operation === STARTUP && password !== undefined) return reply(AUTHENTICATE, text('org.apache.cassandra.auth.PasswordAuthenticator'))
    if (operation === AUTH_RESPONSE) {
      const right = body.toString('utf8').endsWith(`\0${password}`)
      return right ? reply(AUTH_SUCCESS, bytes(null)) : reply(ERROR, toError(0x0100, 'Provided username and/or password are incorrect'))
    }
    if (operation === STARTUP || operation === REGISTER) return reply(READY)
    if (operation !== QUERY) return reply(ERROR, toError(0x000a, `Unexpected operation ${operation}`))
    const length = body.readInt32BE(0)
    const cql = body.subarray(4, 4 + length).toString('utf8')
    const found = findOwn(cql) ?? answer(cql)
    if (!findOwn(cql)) statements.push(cql)
    if (found.error !== undefined) return reply(ERROR, toError(0x2100, found.error))
    return reply(RESULT, toRows(found, readOffset(body.subarray(4 + length)), pageRows))
  }

  return {
    port: (server.address() as AddressInfo).port,
    statements,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

interface ServerOptions {
  readonly password?: string
  /** How many rows a page has at the most. */
  readonly pageRows?: number
}

const HEADER = 9
const [ERROR, STARTUP, READY, AUTHENTICATE, OPTIONS, SUPPORTED, QUERY, RESULT] = [0, 1, 2, 3, 5, 6, 7, 8]
const [REGISTER, AUTH_RESPONSE, AUTH_SUCCESS] = [0x0b, 0x0f, 0x10]

/** What the driver itself reads to know the cluster: one server. */
const findOwn = (cql: string): CqlAnswer | undefined => {
  if (/from system\.peers/i.test(cql)) return { columns: { peer: 'inet' }, rows: [] }
  if (!/^select \* from system\.local/i.test(cql)) return undefined
  return {
    columns: {
      ...{ key: 'text', cluster_name: 'text', data_center: 'text', rack: 'text', release_version: 'text', partitioner: 'text' },
      ...{ host_id: 'uuid', schema_version: 'uuid', rpc_address: 'inet', tokens: 'set' },
    },
    rows: [
      {
        ...{ key: 'local', cluster_name: 'Test', data_center: 'dc1', rack: 'r1', release_version: '4.1.5' },
        ...{ partitioner: 'org.apache.cassandra.dht.Murmur3Partitioner', host_id: 1, schema_version: 2, rpc_address: [127, 0, 0, 1] },
        tokens: ['0'],
      },
    ],
  }
}

/** Consistency, flags, then what the flags announce: the size of a page, and where it starts. */
const readOffset = (options: Buffer): number => {
  const flags = options[2] ?? 0
  const at = 3 + (flags & 0x04 ? 4 : 0)
  return flags & 0x08 ? Number(options.subarray(at + 4, at + 4 + options.readInt32BE(at)).toString()) : 0
}

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const i32 = (value: number): Buffer => {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(value)
  return buffer
}
const text = (value: string): Buffer => Buffer.concat([u16(Buffer.byteLength(value)), Buffer.from(value)])
const bytes = (value: Buffer | null): Buffer => (value === null ? i32(-1) : Buffer.concat([i32(value.length), value]))
const toError = (code: number, message: string): Buffer => Buffer.concat([i32(code), text(message)])

const toFrame = (stream: number, operation: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x84, 0]), u16(stream & 0xffff), Buffer.from([operation]), i32(body.length), body])

const CODES: Readonly<Record<CqlType, readonly number[]>> = {
  ...{ text: [0x0d], int: [0x09], boolean: [0x04], uuid: [0x0c], inet: [0x10] },
  ...{ map: [0x21, 0x0d, 0x0d], list: [0x20, 0x0d], set: [0x22, 0x0d] },
}

/** Result of kind 2: the columns, the place of the next page if there is one, and the values. */
const toRows = ({ columns = {}, rows = [] }: CqlAnswer, offset: number, pageRows: number): Buffer => {
  const names = Object.entries(columns)
  const page = rows.slice(offset, offset + pageRows)
  const next = offset + page.length < rows.length ? String(offset + page.length) : undefined
  return Buffer.concat([
    ...[i32(2), i32(next === undefined ? 1 : 3), i32(names.length)],
    ...(next === undefined ? [] : [bytes(Buffer.from(next))]),
    ...[text('keyspace'), text('table')],
    ...names.flatMap(([name, type]) => [text(name), ...CODES[type].map(u16)]),
    i32(page.length),
    ...page.flatMap((row) => names.map(([name, type]) => bytes(toValue(row[name], type)))),
  ])
}

const toValue = (value: unknown, type: CqlType): Buffer | null => {
  if (value === null || value === undefined) return null
  if (type === 'int') return i32(value as number)
  if (type === 'boolean') return Buffer.from([value ? 1 : 0])
  if (type === 'uuid') return Buffer.alloc(16, value as number)
  if (type === 'inet') return Buffer.from(value as number[])
  if (type === 'text') return Buffer.from(String(value))
  const parts = type === 'map' ? Object.entries(value as object).flat() : (value as string[])
  const count = type === 'map' ? parts.length / 2 : parts.length
  return Buffer.concat([i32(count), ...parts.map((part) => bytes(Buffer.from(String(part))))])
}
