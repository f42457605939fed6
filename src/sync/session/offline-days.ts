/** A user can sign in without a connection for so many days after the last sign-in with it. */
export const offlineDays = 14
