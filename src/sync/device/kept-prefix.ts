/** The keys of kept answers begin so. A file of its own: each page needs the prefix, and few need the answers. */
export const keptPrefix = 'kept '
