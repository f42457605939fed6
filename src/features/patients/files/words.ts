import type { FileCategory } from '#contract/patients/patient-files.ts'

/** The names of the categories on the screen. */
export const categoryTitles: Record<FileCategory, string> = {
  'insurance card': 'Insurance card',
  'outside Rx': 'Outside Rx',
  referral: 'Referral',
  imaging: 'Imaging',
  consent: 'Consent',
  other: 'Other',
}

/**
 * The file types that the server accepts, for the file picker. A phone converts HEIC to JPEG when a page does not list
 * HEIC.
 */
export const acceptedFiles = 'application/pdf,image/jpeg,image/png,image/webp,image/gif,image/heic,image/tiff,.dcm'
