import { missingNumbers, type Provider } from '#contract/settings/providers.ts'

/** Shows the prescriber's numbers that a prescription prints, and the missing ones. It never stops a signature. */
export function ProviderNote({ provider }: { provider: Provider }) {
  const { name, license_no, npi } = provider
  const missing = missingNumbers(provider)
  const known = [license_no && `License ${license_no}`, npi && `NPI ${npi}`].filter(Boolean).join(', ')
  return (
    <p className="mt-1.5 text-sm text-ink-2">
      {known}
      {missing.length > 0 && (
        <span className="block font-medium text-warn">
          Missing for <bdi>{name}</bdi>: {missing.join(', ')}. A manager can add it in Settings, Optical.
        </span>
      )}
    </p>
  )
}
