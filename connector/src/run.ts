import { ConnectorError, type Program, ProgramProcess } from './process.ts'
import { type Command, type Message, parseMessage, RunChecker } from './protocol.ts'

/**
 * Runs a connector with one command and yields its messages, checked, up to and including `done`. It ends with all its children when the signal
 * aborts and when the caller stops reading.
 */
export async function* runProgram(program: Program, command: Command, signal: AbortSignal): AsyncGenerator<Message, void> {
  signal.throwIfAborted()
  const running = new ProgramProcess(program)
  const onAbort = () => running.stop(describeAbort(signal))
  signal.addEventListener('abort', onAbort)
  const checker = new RunChecker(command)
  let number = 0
  try {
    using _watch = running.watchMemory()
    running.send(command)
    running.endInput()
    for await (const line of running.lines) {
      if (running.reason) break
      number += 1
      const message = await parseLine(running, line, number)
      if (!message) break
      checker.check(message, number)
      if (message.type === 'error') throw new ConnectorError(message.message)
      yield message
      if (message.type === 'done') return
    }
    const { how, why } = await running.findEnd()
    throw new ConnectorError(`The connector ended without \`done\` (${how})${why ? `: ${why}` : '.'}`)
  } catch (error) {
    throw running.reason ?? error
  } finally {
    signal.removeEventListener('abort', onAbort)
    running.stop(new ConnectorError('The run is over.'))
  }
}

/** Undefined for the beginning of a message whose program was killed or has failed: how it ended tells why. */
const parseLine = async (running: ProgramProcess, line: string, number: number): Promise<Message | undefined> => {
  try {
    return parseMessage(line, number)
  } catch (error) {
    if (running.cutOff && (await running.findEnd()).how !== 'exit code 0') return undefined
    throw error
  }
}

const describeAbort = ({ reason }: AbortSignal): Error =>
  new Error(reason?.name === 'TimeoutError' ? 'The connector timed out.' : 'The operation was cancelled.')
