import type { TObject } from 'typebox'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { createResource } from './create.ts'
import { editResource } from './edit.ts'
import { type Own, ownNames } from './own-fields.ts'
import { mustStandUnder } from './placed.ts'
import type { Resource, ResourceCreate, ResourceEdit } from './schema.ts'

export type Body = Record<string, unknown>

/** A typed endpoint: the same service functions behind a path that determines the entity type, whatever the body says. */
export interface KindDoor {
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
  readonly under?: string
  /** Requires an integration. */
  readonly reported?: true
  /** Validates a new one and resolves fields that only this endpoint accepts. */
  readonly prepare?: (ctx: Context, create: Body) => Promise<ResourceCreate>
  /** Derives further changes from an edit of type-specific fields. */
  readonly settle?: (ctx: Context, id: string, own: Own) => Promise<Own>
  readonly edit?: true
  readonly edit_example?: object
  /** Whether a deletion returns 204 without a body, or 200 with the deleted record. */
  readonly remove?: 'nothing' | 'record'
  /** Default sort field for the children of one parent. */
  readonly children_by?: string
  /** List and read remain for old clients. */
  readonly deprecated?: true
}

/** Sets the entity type, checks the parent type and accepts type-specific fields. */
export const createThrough = (ctx: Context, door: KindDoor, body: Body): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const { entity_type, noun, under, prepare, create } = door
    const checked = pick(body, Object.keys(create!.properties))
    if (under) await mustStandUnder(ctx, noun, under, checked.parent)
    const prepared = prepare ? await prepare(ctx, checked) : (checked as ResourceCreate)
    return createResource(ctx, { ...prepared, entity_type }, pick(checked, ownNames(entity_type)))
  })

export const editThrough = (ctx: Context, door: KindDoor, id: string, body: Body): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    const { entity_type, noun, under, reported, settle } = door
    if (under && body.parent !== undefined) await mustStandUnder(ctx, noun, under, body.parent)
    if (reported && body.integration === null) throw invalid({ integration: ['This field cannot be cleared.'] })
    const own = pick(body, ownNames(entity_type))
    return editResource(ctx, id, body as ResourceEdit, entity_type, settle ? await settle(ctx, id, own) : own)
  })

/** Only the properties that the schema has validated. */
const pick = (body: Body, names: readonly string[]): Own =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
