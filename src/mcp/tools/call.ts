import type { ErrorObject } from 'ajv'
import type { FastifyError } from 'fastify'
import { type ApiError, invalid } from '../../platform/core/errors.ts'
import { SchemaCompiler } from '../../platform/core/schema-compiler.ts'
import { toApiError } from '../../platform/http/errors.ts'
import { can, requirePermission } from '../../platform/permissions/permissions.ts'
import { cleanAnswer } from './safe-text.ts'
import type { Tool, ToolCall } from './tool.ts'

/** What a call returns to the client. `structured` is missing if it failed. */
export interface ToolResult {
  readonly text: string
  readonly structured?: Record<string, unknown>
  readonly failed: boolean
}

/** The tools the caller may use. */
export const listAllowedTools = (tools: readonly Tool[], { ctx }: ToolCall): Tool[] =>
  tools.filter(({ permission }) => can(ctx.actor, permission))

/** Failures the caller can act on are results; errors of the server are reported as well. */
export const callTool = async (tool: Tool, call: ToolCall, args: unknown, onError: (error: unknown) => void): Promise<ToolResult> => {
  try {
    requirePermission(call.ctx.actor, tool.permission)
    const { value, suspicious } = cleanAnswer(await tool.run(call, parseArguments(tool, args) as never))
    const { total, total_exact, cursor, link, items, ...fields } = value
    const structured = {
      ...{ total, total_exact, returned: items.length, truncated: cursor !== null || !total_exact, cursor, link },
      ...(suspicious.length > 0 && { suspicious }),
      ...fields,
      items,
    }
    return { text: JSON.stringify(structured), structured, failed: false }
  } catch (error) {
    const { status, message } = toApiError(error as FastifyError)
    if (status >= 500) onError(error)
    return { text: message, failed: true }
  }
}

const compiler = new SchemaCompiler({ useDefaults: true, validateFormats: false })

type DeclaredArguments = Pick<Tool, 'name' | 'input'>

/** Checks the arguments against the schema of the tool. The error names what is wrong, so that an agent can correct it. */
export const parseArguments = (tool: DeclaredArguments, args: unknown): unknown => {
  const validate = compiler.compile(tool.input)
  const value = structuredClone(args ?? {})
  if (!validate(value)) throw toArgumentError(tool, validate.errors![0]!)
  return value
}

const toArgumentError = ({ name, input }: DeclaredArguments, { instancePath, params, message = 'is not valid' }: ErrorObject): ApiError => {
  const { missingProperty, additionalProperty, allowedValues } = params as Record<string, string & string[]>
  const field = [...instancePath.split('/').filter(Boolean), ...(missingProperty ? [missingProperty] : [])].join('.') || 'arguments'
  if (additionalProperty)
    return invalid({ [additionalProperty]: [`is not an argument of ${name}. Arguments: ${Object.keys(input.properties).join(', ')}.`] })
  if (missingProperty) return invalid({ [field]: ['is required.'] })
  return invalid({ [field]: [allowedValues ? `must be one of ${allowedValues.join(', ')}.` : `${message}.`] })
}
