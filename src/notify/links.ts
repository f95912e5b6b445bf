/** Where a person looks at a resource; without `PUBLIC_URL`, nowhere that could be named from outside. */
export const linkTo = (publicUrl: string | undefined, resource_id: string): string | undefined =>
  publicUrl && `${publicUrl}/r/${resource_id}`
