import type { TObject } from 'typebox'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { createResource } from './create.ts'
import { editResource } from './edit.ts'
import { type Own, ownNames } from './own-fields.ts'
import { mustStandUnder } from './placed.ts'
import type { Resource, ResourceCreate, ResourceEdit } from './schema.ts'

export type Body = Record<string, unknown>

/** A typed door: the same rules behind a path that decides the entity type, whatever the body says. A kind is one of these. */
export interface KindDoor {
  readonly path: string
  readonly entity_type: string
  /** For people: "a database". */
  readonly noun: string
  /** For people: "Databases". */
  readonly tag: string
  /** The path's name for the ID, as the contract spells it. */
  readonly param: string
  /** The body that creates one; without it none is created here. */
  readonly create?: TObject
  /** The entity type of what it always stands under. */
  readonly under?: string
  /** It always belongs to an integration. */
  readonly reported?: true
  /** What must hold for a new one, and what follows from fields only this door knows. */
  readonly prepare?: (ctx: Context, create: Body) => Promise<ResourceCreate>
  /** What an edit of fields only this kind has comes to. */
  readonly settle?: (ctx: Context, id: string, own: Own) => Promise<Own>
  readonly edit?: true
  readonly edit_example?: object
  /** With 204 and nothing, or with 200 and the record as it was. */
  readonly remove?: 'nothing' | 'record'
  /** What those under one parent are ordered by. */
  readonly children_by?: string
  /** List and read are kept for old clients. */
  readonly deprecated?: true
}

/** Through its door a resource is of its kind, stands where its kind stands, and brings the fields only its kind has. */
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

/** What a schema has checked, of everything a body may hold. */
const pick = (body: Body, names: readonly string[]): Own =>
  Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
