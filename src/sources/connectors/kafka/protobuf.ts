import protobuf from 'protobufjs'
import { MAX_FIELD_DEPTH, type SchemaField } from '../stores/fields.ts'

/** The first message of a `.proto` file, as one field without a name. `imports` are the files it imports, by path. */
export const readProtobufSchema = (text: string, imports: ReadonlyMap<string, string> = new Map()): SchemaField => {
  const root = new protobuf.Root()
  for (const imported of imports.values()) parse(imported, root)
  const { package: name = '' } = parse(text, root)
  const scope = name === '' ? root : root.lookup(name)
  const first = findFirstMessage(text)
  const message = scope instanceof protobuf.Namespace && first !== undefined ? scope.get(first) : undefined
  if (!(message instanceof protobuf.Type)) throw new Error('The schema contains no message.')
  return { name: '', type: `message ${getName(message)}`, children: readMessage(message, []), ...describe(message.comment) }
}

const parse = (text: string, root: protobuf.Root) =>
  protobuf.parse(text, root, { keepCase: true, alternateCommentMode: true, preferTrailingComment: false })

/** Messages of imported files may be in the same package, so that their order in the namespace says nothing. */
const findFirstMessage = (text: string): string | undefined =>
  /(?:^|[;}\n])\s*message\s+(\w+)/.exec(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''))?.[1]

const getName = (type: protobuf.Type): string => type.fullName.replace(/^\./, '')

const readMessage = (type: protobuf.Type, inside: readonly string[]): SchemaField[] => {
  const name = getName(type)
  if (inside.includes(name) || inside.length >= MAX_FIELD_DEPTH) return []
  return type.fieldsArray.map((field) => readField(field, type, [...inside, name]))
}

const readField = (field: protobuf.Field, type: protobuf.Type, inside: readonly string[]): SchemaField => {
  const target = findType(field.type, type)
  const children = target instanceof protobuf.Type ? readMessage(target, inside) : []
  const base = target instanceof protobuf.Type ? getName(target) : target instanceof protobuf.Enum ? `enum ${target.name}` : field.type
  const whole = field instanceof protobuf.MapField ? `map<${field.keyType}, ${base}>` : field.repeated ? `repeated ${base}` : base
  return {
    name: field.name,
    type: whole,
    nullable: !field.required,
    ...describe(field.comment),
    facts: {
      field_number: field.id,
      ...(field.partOf && !isSynthetic(field.partOf) ? { oneof: field.partOf.name } : {}),
      ...(target instanceof protobuf.Enum ? { symbols: Object.keys(target.values) } : {}),
    },
    ...(children.length > 0 ? { children } : {}),
  }
}

/** proto3 writes an optional field as one alone in a group of its own. */
const isSynthetic = (group: protobuf.OneOf): boolean => group.fieldsArray.length === 1 && group.name === `_${group.fieldsArray[0]!.name}`

const findType = (name: string, scope: protobuf.Type): protobuf.ReflectionObject | null => {
  try {
    return scope.lookup(name, [protobuf.Type, protobuf.Enum])
  } catch {
    return null // a type of a file that is not registered, e.g. google.protobuf.Timestamp
  }
}

const describe = (comment: string | null | undefined): { description?: string } => (comment ? { description: comment } : {})
