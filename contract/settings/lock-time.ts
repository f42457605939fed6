/** After how many idle minutes tablets lock until a manager chooses another time, and the longest choice. */
export const lockTime = { usual: 15, longest: 30 } as const
