import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { BSON } from 'mongodb'

export type MongoCommand = Readonly<Record<string, unknown>> & { readonly $db: string }

/** A server of MongoDB's wire protocol (OP_MSG) that answers commands with a function. It has no data and no authentication. */
export const createMongoServer = async (answer: (command: MongoCommand) => object) => {
  const commands: MongoCommand[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    let rest = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const message = rest.subarray(0, rest.readInt32LE(0))
        rest = rest.subarray(message.length)
        const isMessage = message.readInt32LE(12) === OP_MSG
        const command = readCommand(message, isMessage)
        const isHello = 'hello' in command || 'ismaster' in command || 'isMaster' in command
        if (!isHello) commands.push(command)
        const reply = isHello ? HELLO : { ok: 1, ...answer(command) }
        socket.write(isMessage ? toMessage(message.readInt32LE(4), reply) : toReply(message.readInt32LE(4), reply))
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    commands,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

const [OP_REPLY, OP_MSG] = [1, 2013]
const HELLO = {
  ok: 1,
  isWritablePrimary: true,
  ismaster: true,
  maxWireVersion: 21,
  minWireVersion: 0,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  readOnly: false,
}

/** The first handshake is a query: flags, the name of a collection, two numbers, the command. */
const readCommand = (message: Buffer, isMessage: boolean): MongoCommand => {
  const start = isMessage ? 21 : message.indexOf(0, 20) + 9
  return BSON.deserialize(message.subarray(start, start + message.readInt32LE(start))) as MongoCommand
}

const withHeader = (to: number, operation: number, body: Buffer): Buffer => {
  const header = Buffer.alloc(16)
  header.writeInt32LE(16 + body.length, 0)
  header.writeInt32LE(1, 4)
  header.writeInt32LE(to, 8)
  header.writeInt32LE(operation, 12)
  return Buffer.concat([header, body])
}

const toMessage = (to: number, reply: object): Buffer => withHeader(to, OP_MSG, Buffer.concat([Buffer.alloc(5), BSON.serialize(reply)]))

const toReply = (to: number, reply: object): Buffer => {
  const fields = Buffer.alloc(20)
  fields.writeInt32LE(1, 16)
  return withHeader(to, OP_REPLY, Buffer.concat([fields, BSON.serialize(reply)]))
}
