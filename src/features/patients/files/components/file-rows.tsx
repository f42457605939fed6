import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { typeNamed } from '#contract/patients/file-types.ts'
import type { PatientFile } from '#contract/patients/patient-files.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatBytes, formatDateTime } from '#src/ui/format.ts'
import { categoryTitles } from '../words.ts'
import { FileThumbnail } from './file-thumbnail.tsx'

/** A list of files, each with its name, kind, uploader and time. */
export function FileRows({ files, timeZone }: { files: readonly PatientFile[]; timeZone: string | undefined }) {
  return (
    <ul aria-label="Files" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {files.map((file) => (
        <li key={file.id_file}>
          <Link
            to="/patient/$id_patient/file/$id_file"
            params={{ id_patient: file.id_patient, id_file: file.id_file }}
            className="flex min-h-tall items-center gap-3 px-4 py-2 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          >
            <FileThumbnail file={file} />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <strong className="min-w-0 font-semibold wrap-anywhere">{file.filename}</strong>
                <Badge>{categoryTitles[file.category]}</Badge>
              </span>
              <span className="block text-sm text-ink-2">
                {typeNamed(file.mime).title} · {formatBytes(file.size)} · <bdi>{file.uploaded_by}</bdi> ·{' '}
                {formatDateTime(file.uploaded_at, timeZone)}
              </span>
              {file.note && <span className="block text-sm wrap-anywhere text-ink-3">{file.note}</span>}
            </span>
            <ChevronRight size={18} aria-hidden className="shrink-0 text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
