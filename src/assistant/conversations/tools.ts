import { TOOLS } from '../../mcp/tools/all.ts'
import { callTool, type ToolResult } from '../../mcp/tools/call.ts'
import { removeInvisible } from '../../mcp/tools/safe-text.ts'
import type { Tool, ToolCall } from '../../mcp/tools/tool.ts'
import { parseId } from '../../platform/core/id.ts'
import { isObject } from '../../platform/core/json-value.ts'
import { can } from '../../platform/permissions/permissions.ts'
import type { ModelTool, ToolUse } from '../models/model.ts'
import type { Source, Step } from './schema.ts'

/** Of the tools that write, the assistant has only the one that suggests. */
const WRITING_TOOLS: ReadonlySet<string> = new Set(['suggest_change'])
/** Return values of the sources, which leave the organization with the question. */
const VALUE_TOOLS: ReadonlySet<string> = new Set(['preview_table', 'get_profile'])

export interface ToolLimits {
  readonly share_values: boolean
  /** A text that looked like an instruction has been read: from then on nothing is written. */
  readonly read_only: boolean
}

/** The tools the model may call now. */
export const listAssistantTools = ({ ctx }: ToolCall, { share_values, read_only }: ToolLimits): Tool[] =>
  TOOLS.filter(({ name, permission, annotations }) => {
    if (!can(ctx.actor, permission)) return false
    if (!annotations.readOnlyHint) return !read_only && WRITING_TOOLS.has(name)
    return share_values || !VALUE_TOOLS.has(name)
  })

export const toModelTool = ({ name, description, input }: Tool): ModelTool => ({ name, description, input })

const MAX_ANSWER_TOKENS = 6_000

export interface ToolRun {
  readonly result: ToolResult
  readonly step: Step
}

/** Calls a tool with the rights of the user. Every failure is a result that the model can read. */
export const runTool = async (
  { name, arguments: text }: ToolUse,
  tools: readonly Tool[],
  call: ToolCall,
  onError: (error: unknown) => void,
): Promise<ToolRun> => {
  const tool = tools.find((each) => each.name === name)
  const args = parseArguments(text)
  const result = !tool
    ? {
        text: `There is no tool "${removeInvisible(name).slice(0, 100)}". Tools: ${tools.map((each) => each.name).join(', ')}.`,
        failed: true,
      }
    : args === undefined
      ? { text: 'The arguments are not a JSON object.', failed: true }
      : await callTool(tool, call, limitTokens(tool, args), onError)
  const { total = null, returned = null } = (result.structured ?? {}) as { total?: number; returned?: number }
  const step: Step = {
    tool: removeInvisible(name).slice(0, 100),
    title: tool?.title ?? removeInvisible(name).slice(0, 100),
    arguments: args ?? null,
    failed: result.failed,
    returned,
    total,
    error: result.failed ? result.text.slice(0, 500) : null,
  }
  return { result, step }
}

const parseArguments = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '{}' : text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const limitTokens = (tool: Tool, args: Record<string, unknown>): Record<string, unknown> => {
  if (!('max_tokens' in tool.input.properties)) return args
  const wanted = typeof args.max_tokens === 'number' ? args.max_tokens : MAX_ANSWER_TOKENS
  return { ...args, max_tokens: Math.min(wanted, MAX_ANSWER_TOKENS) }
}

const MAX_DEPTH = 8

/** The resources a tool returned: what an answer may link to. */
export const collectSources = (value: unknown, found: Map<string, Source>, depth = 0): void => {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return
  if (!Array.isArray(value)) {
    const record = value as Record<string, unknown>
    const id = typeof record.link === 'string' ? findResourceId(record.link) : undefined
    const title = [record.title, record.name, record.path].find((each) => typeof each === 'string' && each !== '')
    const type = [record.type, record.entity_type].find((each) => typeof each === 'string')
    if (id && title && !found.has(id)) found.set(id, { id, title: title as string, type: (type as string) ?? null })
  }
  for (const each of Object.values(value)) collectSources(each, found, depth + 1)
}

const findResourceId = (link: string): string | undefined => parseId(/\/r\/([^/?#]+)$/.exec(link)?.[1] ?? '')
