/** The form a signed-out visitor sees first. */
export type SignInForm = 'setup' | 'password' | 'token'

interface SetupState {
  readonly setup_needed: boolean
  readonly has_passwords: boolean
  readonly oidc: object | null
}

/** Setup of the admin password, unless others can sign in already, with a password or an identity provider: they must get the sign-in form. */
export const chooseSignInForm = (setup: SetupState | undefined): SignInForm =>
  setup?.setup_needed && !setup.has_passwords && !setup.oidc ? 'setup' : 'password'
