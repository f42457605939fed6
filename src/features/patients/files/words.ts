import type { FileCategory } from '#contract/patients/patient-files.ts'

/** Categories as people read them. */
export const categoryTitles: Record<FileCategory, string> = {
  'insurance card': 'Insurance card',
  'outside Rx': 'Outside Rx',
  referral: 'Referral',
  imaging: 'Imaging',
  consent: 'Consent',
  other: 'Other',
}

/** For the picker of the system: what the server takes. Phones turn HEIC into JPEG where a page does not ask for it. */
export const acceptedFiles = 'application/pdf,image/jpeg,image/png,image/webp,image/gif,image/heic,image/tiff,.dcm'
