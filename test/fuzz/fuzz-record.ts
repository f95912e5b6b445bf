/** The responses of one operation. */
interface OperationRecord {
  /** By validity and status, the first time each request was sent: `good 200`, `bad 404`. */
  readonly answers: Record<string, number>
  /** Everything sent, with what was sent again. */
  requests: number
  ms: number
  longestMs: number
}

/** What was sent and what came back, over all rounds of a run. Plain data: an interrupted run continues from its file. */
export interface FuzzRecord {
  requests: number
  readonly statuses: Record<string, number>
  readonly operations: Record<string, OperationRecord>
  generatingMs: number
  checkingMs: number
}

export const newFuzzRecord = (): FuzzRecord => ({ requests: 0, statuses: {}, operations: {}, generatingMs: 0, checkingMs: 0 })

export const operationOf = (record: FuzzRecord, operation: string): OperationRecord => {
  record.operations[operation] ??= { answers: {}, requests: 0, ms: 0, longestMs: 0 }
  return record.operations[operation]
}

/** Responses whose kind (`good 200`) matches. */
export const countAnswers = ({ answers }: OperationRecord, kind: RegExp): number =>
  Object.entries(answers).reduce((sum, [each, n]) => sum + (kind.test(each) ? n : 0), 0)

/** Whether a valid request to it has succeeded. */
export const hasSucceeded = (operation: OperationRecord): boolean => countAnswers(operation, /^good 2/) > 0
