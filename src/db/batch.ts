import { setImmediate as nextTurn } from 'node:timers/promises'

const TURNS = 3 // of the loop

/**
 * Gathers the keys asked for while the last look-up was under way and looks them up together, as a group commit does.
 * A key is always looked up after it was asked for, so the answer is never older than the question.
 */
export const batched = <K, V>(lookUp: (keys: K[]) => Promise<Map<K, V>>): ((key: K) => Promise<V | undefined>) => {
  let asked = new Map<K, Waiting<V>>()
  let busy = false

  const work = async () => {
    busy = true
    while (asked.size > 0) {
      const batch = asked
      asked = new Map()
      try {
        const found = await lookUp([...batch.keys()])
        for (const [key, { resolve }] of batch) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of batch.values()) reject(error)
      }
      // Many of those who were answered ask again at once: together with them it is half as many look-ups.
      for (let i = 0; i < TURNS; i += 1) await nextTurn()
    }
    busy = false
  }

  return (key) => {
    const same = asked.get(key)
    if (same) return same.promise
    const waiting = Promise.withResolvers<V | undefined>()
    asked.set(key, waiting)
    if (!busy) {
      busy = true
      setImmediate(work) // whoever else asks in this turn of the loop comes along
    }
    return waiting.promise
  }
}

type Waiting<V> = PromiseWithResolvers<V | undefined>
