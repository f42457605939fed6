import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // file_path is the place of the bytes; the name is only for people.
  `create table patient_files (
    id_file uuid primary key,
    id_patient uuid not null references patients,
    file_path text not null unique,
    filename text not null check (filename <> ''),
    mime text not null,
    size integer not null check (size > 0),
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    category text not null,
    note text not null,
    uploaded_by integer not null references users,
    uploaded_at timestamptz(3) not null
  )`,
  'create index patient_files_by_patient on patient_files (id_patient, uploaded_at desc, id_file desc)',
  // Uploads under way: of one person, for one patient, until they expire.
  `create table patient_uploads (
    filename text primary key,
    id_patient uuid not null references patients,
    id_user integer not null references users,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    length integer check (length > 0),
    received integer not null default 0 check (received >= 0),
    file_path text unique,
    mime text,
    sha256 text,
    id_file uuid references patient_files,
    check ((file_path is null) = (mime is null) and (file_path is null) = (sha256 is null))
  )`,
  'create index patient_uploads_by_end on patient_uploads (expires_at)',
  'create index patient_uploads_by_person on patient_uploads (id_user)',
  `create table patient_upload_parts (
    filename text not null references patient_uploads on delete cascade,
    start integer not null,
    size integer not null check (size > 0),
    key text not null,
    primary key (filename, start)
  )`,
]

/** Files of patients, and uploads under way. */
export const patientFiles: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
