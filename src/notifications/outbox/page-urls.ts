/** URL of a resource; undefined without `PUBLIC_URL`. */
export const buildResourceUrl = (publicUrl: string | undefined, resource_id: string): string | undefined =>
  publicUrl && `${publicUrl}/r/${resource_id}`

export const buildIncidentUrl = (publicUrl: string | undefined, incident: string): string | undefined =>
  publicUrl && `${publicUrl}/incidents/${incident}`
