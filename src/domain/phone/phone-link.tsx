import { formatPhone } from '#contract/patients/patient.ts'

/** A phone number that a tap dials. @param digits ten digits, as stored */
export function PhoneLink({ digits }: { digits: string }) {
  return (
    <a href={`tel:+1${digits}`} className="figures inline-flex min-h-target items-center whitespace-nowrap underline underline-offset-2">
      {formatPhone(digits)}
    </a>
  )
}
