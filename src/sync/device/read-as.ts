import * as v from 'valibot'

/** Reads what was kept: null for what does not fit, such as what another version of the app has written. */
export function readAs<T>(shape: v.GenericSchema<unknown, T>): (given: unknown) => T | null {
  return (given) => {
    const read = v.safeParse(shape, given)
    return read.success ? read.output : null
  }
}

/** Of a form that holds nothing but texts. */
export const readTexts = readAs(v.record(v.string(), v.string()))
