import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../core/errors.ts'

/** Reads the body of a request that may be a multipart form. The errors of the form's parser are neither API errors nor those of files or the database. */
export const withFormErrors = async <T>(request: FastifyRequest, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    const { code } = error as { code?: string }
    if (!request.isMultipart() || error instanceof ApiError || (code && !code.startsWith('FST_'))) throw error
    throw invalid({ body: ['must be a valid multipart form.'] })
  }
}
