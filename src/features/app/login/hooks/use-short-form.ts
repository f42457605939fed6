import { useState } from 'react'
import * as v from 'valibot'

/**
 * A form of a field or two, without the library of the longer ones, which weighs as much as the rest of this screen.
 * As there, nothing is found fault with before the first try; from then on every change is checked.
 *
 * @param submit is called with what was typed, once it is as `schema` wants it, and with what empties the form.
 */
export function useShortForm<Values extends Record<string, string>>(
  schema: v.GenericSchema<Values>,
  empty: Values,
  submit: (values: Values, reset: () => void) => Promise<void>,
) {
  const [values, setValues] = useState(empty)
  const [tried, setTried] = useState(false)
  const [submitting, setSubmitting] = useState(false)
  const { issues } = v.safeParse(schema, values)

  function reset() {
    setValues(empty)
    setTried(false)
  }

  return {
    values,
    submitting,
    change: (name: keyof Values, value: string) => setValues((before) => ({ ...before, [name]: value })),
    /** What is wrong with a field, in the words of the schema. */
    errorOf: (name: keyof Values) => (tried ? issues?.find((issue) => issue.path?.[0]?.key === name)?.message : undefined),
    async submit() {
      setTried(true)
      if (issues || submitting) return
      setSubmitting(true)
      try {
        await submit(values, reset)
      } finally {
        setSubmitting(false)
      }
    },
  }
}
