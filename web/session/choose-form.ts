/** The form a signed-out visitor sees first. */
export type SignInForm = 'setup' | 'password' | 'token'

/** Setup of the admin password, unless invited users already have passwords: they must get the sign-in form. */
export const chooseSignInForm = (setup: { readonly setup_needed: boolean; readonly has_passwords: boolean } | undefined): SignInForm =>
  setup?.setup_needed && !setup.has_passwords ? 'setup' : 'password'
