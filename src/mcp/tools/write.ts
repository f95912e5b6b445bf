import { Type } from 'typebox'
import { createTypedResource } from '../../catalog/resources/typed-route.ts'
import { TYPED_ROUTES } from '../../catalog/resources/typed-routes-list.ts'
import { NullableString } from '../../platform/core/schema-types.ts'
import { findTargetId, linkToResource, Target } from './target.ts'
import { ADDS, defineTool } from './tool.ts'

const QUESTIONS = TYPED_ROUTES.find(({ path }) => path === '/question/questions')!

export const askQuestionTool = defineTool({
  name: 'ask_question',
  title: 'Ask the owners a question',
  description:
    'Ask people a question that the catalog does not answer. The owners of the resource it is about are notified; answers appear in search_documentation. Ask only after you have searched, and only if your user wants it.',
  permission: 'questions.ask',
  annotations: ADDS,
  input: {
    title: Type.String({ minLength: 1, maxLength: 500, description: 'The question in one sentence.' }),
    text: Type.Optional(Type.String({ maxLength: 20_000, description: 'Details, as Markdown.' })),
    about: Type.Optional(Target('the resource the question is about')),
  },
  item: Type.Object({ id: Type.String(), title: Type.String(), about: NullableString(), link: Type.String() }),
  run: async ({ ctx, baseUrl }, { title, text, about }) => {
    const base_entity_id = about === undefined ? undefined : await findTargetId(ctx, about, 'about')
    const question = await createTypedResource(ctx, QUESTIONS, { title, definition: text, base_entity_id })
    const link = linkToResource(baseUrl, question.id)
    const item = { id: question.id, title: question.title, about: question.base_entity_id, link }
    return { items: [item], total: 1, total_exact: true, cursor: null, link }
  },
})
