import { getResource } from '../../catalog/listing/read.ts'
import type { Resource } from '../../catalog/records/schema.ts'
import { countTokens } from '../../mcp/tools/answer.ts'
import type { Tool } from '../../mcp/tools/tool.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { createClock } from '../../platform/jobs/clock.ts'
import { type Actor, can } from '../../platform/permissions/permissions.ts'
import { callModel, ModelError, type ModelResponse } from '../models/call-model.ts'
import type { ModelMessage, ToolOutput, Usage } from '../models/model.ts'
import type { AssistantSettingsRow } from '../settings/settings.ts'
import { addUsage, computeCost, findReachedLimit } from '../usage/usage.ts'
import { cleanAnswerText, findLinkedIds, withoutIncompleteEnd } from './answer-text.ts'
import { ANSWER_NOW, writeInstructions, writeMessages } from './prompt.ts'
import { AnswerStopped } from './running-answers.ts'
import type { Answer, Source, Step } from './schema.ts'
import { type AnswerState, endAnswer, saveAnswerState } from './store.ts'
import { collectSources, listAssistantTools, runTool, type ToolRun, toModelTool } from './tools.ts'

export interface Question {
  readonly answer_id: string
  readonly question: string
  readonly earlier: readonly Answer[]
  readonly resource_id: string | null
  readonly baseUrl: string
  readonly settings: AssistantSettingsRow
  /** Looks the user up again: their access may end while the answer is written. */
  readonly findActor: () => Promise<Actor | undefined>
  readonly onError: (error: unknown) => void
}

const MAX_STEPS = 12 // responses of the model
const MAX_CALLS = 30 // of tools
const MAX_TOOL_TOKENS = 60_000 // in what the tools return
const MAX_ANSWER_MS = 5 * 60_000
const SAVE_MS = 250 // while text arrives
const HEARTBEAT_MS = 1_000

/** Writes an answer: the model calls tools until it has one. What was written so far is saved all the time, and in any case at the end. */
export const writeAnswer = async (ctx: Context, question: Question, stop: AbortController): Promise<void> => {
  const draft = new AnswerDraft(ctx, question, stop)
  const timeout = setTimeout(() => stop.abort(new AnswerStopped('failed', 'The answer took longer than five minutes.')), MAX_ANSWER_MS)
  try {
    await runSteps(ctx, question, draft, stop.signal)
    await draft.end('completed', null)
  } catch (error) {
    const reason = stop.signal.aborted ? stop.signal.reason : error
    if (reason instanceof AnswerStopped) await draft.end(reason.status, reason.message)
    else {
      question.onError(reason instanceof ModelError ? new Error(`${reason.message} ${reason.detail ?? ''}`) : reason)
      await draft.end('failed', reason instanceof ModelError ? reason.message : 'The answer failed because of an error of the server.')
    }
  } finally {
    clearTimeout(timeout)
    draft.close()
  }
}

const runSteps = async (ctx: Context, question: Question, draft: AnswerDraft, signal: AbortSignal): Promise<void> => {
  const { settings, findActor, baseUrl, onError } = question
  const about = question.resource_id ? await findAbout(ctx, question.resource_id, draft) : undefined
  const messages: ModelMessage[] = writeMessages(question.earlier, question.question, about)
  const system = writeInstructions(ctx.now)
  let toolTokens = 0
  let calls = 0
  let read_only = false
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const actor = await findActor()
    if (!actor || !can(actor, 'assistant.use')) throw new AnswerStopped('cancelled', 'Your access has ended.')
    const call = { ctx: { ...ctx, actor, limits: { signal } }, baseUrl }
    const limit = await findReachedLimit(call.ctx, settings)
    if (limit) throw new AnswerStopped('failed', limit)
    const isLast = step === MAX_STEPS || toolTokens > MAX_TOOL_TOKENS || calls >= MAX_CALLS
    const tools: Tool[] = isLast ? [] : listAssistantTools(call, { share_values: settings.share_values, read_only })
    const response = await draft.addResponse(settings, {
      system: isLast ? `${system}\n\n${ANSWER_NOW}` : system,
      messages,
      tools: tools.map(toModelTool),
    })
    if (response.cut && response.calls.length === 0)
      throw new AnswerStopped('failed', 'The answer is incomplete: the model reached its limit of tokens.')
    if (response.calls.length === 0 || isLast) {
      if (draft.isEmpty()) throw new AnswerStopped('failed', 'The language model sent an empty answer.')
      return
    }
    messages.push({ role: 'assistant', text: response.text, calls: response.calls })
    const outputs: ToolOutput[] = []
    for (const use of response.calls) {
      signal.throwIfAborted()
      calls += 1
      if (calls > MAX_CALLS) {
        outputs.push({ id: use.id, text: ANSWER_NOW, failed: true })
        continue
      }
      const { result, step: done }: ToolRun = await runTool(use, tools, call, onError)
      draft.addStep(done, result.structured)
      read_only ||= result.structured?.suspicious !== undefined
      toolTokens += countTokens(result.text)
      outputs.push({ id: use.id, text: result.text, failed: result.failed })
    }
    messages.push({ role: 'tool', outputs })
  }
}

/** The resource the conversation was started on, if the user can still see it. */
const findAbout = async (ctx: Context, id: string, draft: AnswerDraft): Promise<Resource | undefined> => {
  const about = await getResource(ctx, id).catch(() => undefined)
  if (about) draft.addSource({ id: about.id, title: about.title, type: about.entity_type })
  return about
}

/** An answer while it is written: its state in memory, saved in the database so that every process can stream it. */
class AnswerDraft {
  readonly #ctx: Context
  readonly #question: Question
  readonly #stop: AbortController
  readonly #clock: () => Date
  readonly #heartbeat: NodeJS.Timeout
  readonly #steps: Step[] = []
  readonly #sources = new Map<string, Source>()
  #text = ''
  #usage: Usage = { input_tokens: 0, output_tokens: 0 }
  #saving: Promise<void> = Promise.resolve()
  #savedAt = 0
  #ended = false

  constructor(ctx: Context, question: Question, stop: AbortController) {
    this.#ctx = ctx
    this.#question = question
    this.#stop = stop
    this.#clock = createClock(ctx)
    this.#heartbeat = setInterval(() => this.#save(), HEARTBEAT_MS)
    for (const { sources } of question.earlier) for (const source of sources) this.#sources.set(source.id, source)
  }

  isEmpty(): boolean {
    return this.#text.trim() === ''
  }

  addSource(source: Source): void {
    this.#sources.set(source.id, source)
  }

  addStep(step: Step, structured: unknown): void {
    this.#steps.push(step)
    collectSources(structured, this.#sources)
    this.#save()
  }

  /** One response of the model, written as it arrives. What it used is recorded even if it fails. */
  async addResponse(settings: AssistantSettingsRow, request: Parameters<typeof callModel>[2]): Promise<ModelResponse> {
    if (this.#text !== '') this.#text += '\n\n'
    const used: Usage[] = []
    try {
      return await callModel(this.#ctx, settings, request, {
        signal: this.#stop.signal,
        onText: (text) => {
          this.#text += text
          if (performance.now() - this.#savedAt > SAVE_MS) this.#save()
        },
        onUsage: (usage) => used.push(usage),
      })
    } finally {
      for (const usage of used) await this.#addUsage(usage)
    }
  }

  async #addUsage(usage: Usage): Promise<void> {
    this.#usage = {
      input_tokens: this.#usage.input_tokens + usage.input_tokens,
      output_tokens: this.#usage.output_tokens + usage.output_tokens,
    }
    await addUsage(this.#ctx, usage, computeCost(usage, this.#question.settings) ?? 0)
  }

  /** Saves are sequential, so that an older state never overwrites a newer one. */
  #save(): void {
    this.#savedAt = performance.now()
    this.#saving = this.#saving.then(async () => {
      if (this.#ended) return
      const cancel = await saveAnswerState(this.#ctx, this.#question.answer_id, this.#state(withoutIncompleteEnd(this.#text))).catch(
        () => false, // the next save has everything this one had
      )
      if (cancel === undefined) this.#stop.abort(new AnswerStopped('cancelled', 'The conversation was deleted.'))
      else if (cancel) this.#stop.abort(new AnswerStopped('cancelled', 'You cancelled the answer.'))
    })
  }

  #state(raw: string): AnswerState {
    const text = cleanAnswerText(raw.replaceAll('\0', '').toWellFormed(), this.#sources).trim()
    const sources = findLinkedIds(text).flatMap((id) => this.#sources.get(id) ?? [])
    return { text, steps: this.#steps, sources, usage: this.#usage, cost: computeCost(this.#usage, this.#question.settings) }
  }

  /** The end of an answer and its entry in the audit log are one transaction. The entry says nothing about its content, which is private. */
  async end(status: string, error: string | null): Promise<void> {
    clearInterval(this.#heartbeat)
    await this.#saving
    this.#ended = true
    const { answer_id, settings } = this.#question
    const state = this.#state(this.#text)
    await inTransaction({ ...this.#ctx, now: this.#clock() }, async (ctx) => {
      if (!(await endAnswer(ctx, answer_id, state, { status, error }))) return
      await recordAnswer(ctx, answer_id, { status, model: settings.model, steps: state.steps, ...state.usage, cost: state.cost })
    })
  }

  close(): void {
    clearInterval(this.#heartbeat)
  }
}

export interface AnswerSummary extends Usage {
  readonly status: string
  readonly model: string
  readonly steps: readonly Step[]
  readonly cost: number | null
}

export const recordAnswer = (ctx: Context, id: string, { steps, ...summary }: AnswerSummary): Promise<void> =>
  recordEvent(ctx, {
    kind: 'assistant_answered',
    resource: { id, type: 'assistant_answer' },
    payload: { ...summary, tools: [...new Set(steps.map(({ tool }) => tool))] },
  })
