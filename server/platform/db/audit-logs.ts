/** The logs whose rows are only ever added, and which a chain of hashes guards. Their triggers come with the migrations. */
export const auditLogs = ['patient_audit', 'pcp_audit', 'settings_audit', 'security_log'] as const
export type AuditLog = (typeof auditLogs)[number]

/** The logs and the chain itself. */
export const appendOnlyTables = [...auditLogs, 'audit_chain'] as const
