import { countAnswers, type FuzzRecord, hasSucceeded } from '../fuzz/fuzz-record.ts'
import type { Row } from './report.ts'

const SLOWEST = 10

const countFrom = ({ statuses }: FuzzRecord, from: number): number =>
  Object.entries(statuses).reduce((sum, [status, n]) => sum + (Number(status) >= from && Number(status) < from + 100 ? n : 0), 0)

/** Everything in one row. */
export const summarize = (record: FuzzRecord, operations: number, problems: number): Row => {
  const reached = Object.values(record.operations)
  return {
    requests: record.requests,
    operations,
    reached: reached.length,
    'with a valid request that succeeded': reached.filter(hasSucceeded).length,
    '2xx and 3xx': countFrom(record, 200) + countFrom(record, 300),
    '4xx': countFrom(record, 400),
    '5xx': countFrom(record, 500),
    'not as documented, or changed something': problems,
  }
}

/** With several requests in flight, each waits for the others. */
export const listSlowest = ({ operations }: FuzzRecord): Row[] =>
  Object.entries(operations)
    .toSorted(([, a], [, b]) => b.ms / b.requests - a.ms / a.requests)
    .slice(0, SLOWEST)
    .map(([operation, { requests, ms, longestMs }]) => ({
      'slowest operations': operation,
      requests,
      'mean ms': Math.round((ms / requests) * 10) / 10,
      'longest ms': Math.round(longestMs),
    }))

/** Each operation, those with the fewest successes first. */
export const listOperations = ({ operations }: FuzzRecord): Row[] =>
  Object.entries(operations)
    .map(([operation, each]) => {
      const [valid, succeeded] = [countAnswers(each, /^good/), countAnswers(each, /^good [23]/)]
      return { operation, requests: each.requests, 'valid requests': valid, 'of them 2xx': succeeded, share: share(succeeded, valid), each }
    })
    .toSorted((a, b) => a.share - b.share)
    .map(({ share, each: _, ...row }) => ({ ...row, share: `${Math.round(share * 100)} %` }))

const share = (part: number, all: number): number => (all === 0 ? 0 : part / all)
