/** What somebody who is not signed in sees first. */
export type SignInForm = 'setup' | 'password' | 'token'

/** The admin's first password, unless others who were invited can sign in already: they must not be asked for it. */
export const firstForm = (setup: { readonly setup_needed: boolean; readonly has_passwords: boolean } | undefined): SignInForm =>
  setup?.setup_needed && !setup.has_passwords ? 'setup' : 'password'
