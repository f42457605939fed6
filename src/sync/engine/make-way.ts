/** The page's message to a worker that will be replaced: stop the work under way. */
export const makeWayMessage = 'MAKE_WAY'
