/** The largest value of an integer column of Postgres. */
export const MAX_INTEGER = 2_147_483_647
