/** The prefix of the keys of kept answers. In a file of its own: each page needs it, and few need the answers. */
export const keptPrefix = 'kept '
