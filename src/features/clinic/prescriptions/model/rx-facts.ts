import type { PaperFact } from '#contract/core/paper-document.ts'
import { eyes, type Prescription, type RxInput } from '#contract/rx/prescription.ts'
import { kindWords, shownValue, statusOn } from '../words.ts'
import { headerOf } from './rx-fields.ts'

/** Returns the filled fields that concern both eyes, with kind and provider before and the status after them. */
export function rxFacts(rx: Prescription, providerName: string | null, today: string): PaperFact[] {
  const facts = headerOf(rx.rx_kind).map(([field, label]) => [label, shownValue(field, rx[field])] as const)
  return [
    ['Kind', kindWords[rx.rx_kind]] as const,
    ['Provider', providerName] as const,
    ...facts.filter(([label, text]) => !(label === 'Balance lens' && text === 'None')),
    ['Status', statusOn(today, rx)] as const,
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))
}

export const hasCylinder = (rx: RxInput) => rx.rx_kind === 'spectacle' && eyes.some((eye) => rx[eye].cylinder !== null)
