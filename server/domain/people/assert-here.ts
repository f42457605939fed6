import { Refusal } from '#contract/core/errors.ts'

/** Refuses work on a record of a store in which the actor does not work now. @throws Refusal store-foreign */
export function assertHere(actor: { store_id: number }, { store_id, store }: { store_id: number; store: string }): void {
  if (store_id !== actor.store_id) throw new Refusal('store-foreign', { message: `Only ${store} can do this` })
}
