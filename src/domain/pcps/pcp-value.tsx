import { formatPhone } from '#contract/patients/patient.ts'
import { pcpName } from '#contract/patients/pcp.ts'
import { PhoneLink } from '#src/domain/phone/phone-link.tsx'
import { usePcpCard } from './queries.ts'

/** A patient's primary care provider, with the numbers to call. A tablet has the list of all providers. */
export function PcpValue({ id }: { id: string }) {
  const { value, failure } = usePcpCard(id)
  if (!value) {
    return <span className="text-ink-3">{failure ? 'A provider is on file. The name is available online' : 'Loading…'}</span>
  }
  const { practice, phone, fax } = value
  return (
    <>
      <bdi>{pcpName(value)}</bdi>
      {practice && `\n${practice}`}
      {phone && (
        <>
          {'\n'}
          <PhoneLink digits={phone} />
        </>
      )}
      {fax && `\nFax ${formatPhone(fax)}`}
      {value.inactive && <span className="text-ink-3"> (no longer active)</span>}
    </>
  )
}
