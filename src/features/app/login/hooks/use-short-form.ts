import { useState } from 'react'
import * as v from 'valibot'

/**
 * A form with a field or two. It avoids the library of the longer forms, which weighs as much as the rest of this
 * screen. As there, errors appear only after the first try. From then on every change is checked.
 *
 * @param submit is called with the values once `schema` accepts them, and with a function that empties the form.
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
    /** Returns the schema's message about a field. */
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
