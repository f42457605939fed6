/** The days after a sign-in with a connection in which a user can sign in without one. */
export const offlineDays = 14
