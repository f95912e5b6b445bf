import type { TObject } from 'typebox'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { Resource, ResourceCreate, ResourceEdit } from '../records/schema.ts'
import { type TypeFields, typeFieldNames } from '../records/type-fields.ts'
import { createResource } from './create.ts'
import { editResource } from './edit.ts'
import { requireParentType } from './parent-types.ts'

export type RequestBody = Record<string, unknown>

/** A typed endpoint: the same service functions behind a path that determines the entity type, whatever the body says. */
export interface TypedRoute {
  readonly path: string
  readonly entity_type: string
  /** With its article, for summaries, e.g. "a database". */
  readonly noun: string
  /** The OpenAPI tag, e.g. "Databases". */
  readonly tag: string
  /** Name of the ID parameter in the path, as the API contract spells it. */
  readonly param: string
  /** Schema of the body that creates one. Without it there is no create endpoint. */
  readonly create?: TObject
  /** The required entity type of its parent. */
  readonly parent_type?: string
  /** Requires an integration. */
  readonly requires_integration?: true
  /** Validates a new one and resolves fields that only this endpoint accepts. */
  readonly prepare?: (ctx: Context, create: RequestBody) => Promise<ResourceCreate>
  /** Derives further changes from an edit of type-specific fields. */
  readonly deriveEdit?: (ctx: Context, id: string, own: TypeFields) => Promise<TypeFields>
  readonly edit?: true
  readonly edit_example?: object
  /** Whether a deletion returns 204 without a body, or 200 with the deleted record. */
  readonly delete_response?: 'nothing' | 'record'
  /** Default sort field for the children of one parent. */
  readonly children_sort?: string
  /** List and read remain for old clients. */
  readonly deprecated?: true
}

/** Sets the entity type, checks the parent type and accepts type-specific fields. */
export const createTypedResource = (ctx: Context, route: TypedRoute, body: RequestBody): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const { entity_type, noun, parent_type, prepare, create } = route
    const checked = pick(body, Object.keys(create!.properties))
    if (parent_type) await requireParentType(ctx, noun, parent_type, checked.parent)
    const prepared = prepare ? await prepare(ctx, checked) : (checked as ResourceCreate)
    return createResource(ctx, { ...prepared, entity_type }, pick(checked, typeFieldNames(entity_type)))
  })

export const editTypedResource = (ctx: Context, route: TypedRoute, id: string, body: RequestBody): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const { entity_type, noun, parent_type, requires_integration, deriveEdit } = route
    if (parent_type && body.parent !== undefined) await requireParentType(ctx, noun, parent_type, body.parent)
    if (requires_integration && body.integration === null) throw invalid({ integration: [translatable('This field cannot be cleared.')] })
    const own = pick(body, typeFieldNames(entity_type))
    return editResource(ctx, id, body as ResourceEdit, entity_type, deriveEdit ? await deriveEdit(ctx, id, own) : own)
  })

/** Only the properties that the schema has validated. */
const pick = (body: RequestBody, names: readonly string[]): TypeFields =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
