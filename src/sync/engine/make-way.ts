/** By this the page asks the worker that is to be replaced to let go of what it has in hand. */
export const makeWayMessage = 'MAKE_WAY'
