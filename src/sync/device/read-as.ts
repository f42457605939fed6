import * as v from 'valibot'

/** Reads kept data. Returns null for data that does not fit, such as that of another version of the app. */
export function readAs<T>(shape: v.GenericSchema<unknown, T>): (given: unknown) => T | null {
  return (given) => {
    const read = v.safeParse(shape, given)
    return read.success ? read.output : null
  }
}

/** Reads a form that only has texts. */
export const readTexts = readAs(v.record(v.string(), v.string()))
