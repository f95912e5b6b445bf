// `node --import ./bench/without-tracing.ts src/server.ts`: the server with empty functions in place of those for traces.
import { registerHooks } from 'node:module'

const EMPTY: Readonly<Record<string, string>> = {
  '/src/platform/tracing/spans.ts': `
    const span = { setStatus: () => span, setAttribute: () => span, end() {} }
    export const startSpan = () => span
    export const inSpan = (name, settings, work) => work(span)
    export const markFailed = () => {}
    export const getTraceHeaders = () => ({})
    export const getTraceparent = () => null
    export const readTraceparent = () => undefined`,
  '/src/platform/http/tracing.ts': `
    export const addTracing = () => {}
    export const getTraceId = () => undefined`,
}

registerHooks({
  load: (url, context, next) => {
    const name = Object.keys(EMPTY).find((each) => url.endsWith(each))
    return name === undefined ? next(url, context) : { format: 'module', source: EMPTY[name], shortCircuit: true }
  },
})
