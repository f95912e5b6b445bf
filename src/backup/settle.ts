import type { Session } from '../db/session.ts'

/**
 * What was on its way out when the backup was taken was most likely sent since, by the workspace it was taken from: it is not sent again.
 * Admins find it in the ledgers, and can send it once more. The followers' places are as the migrations made them: here and now.
 */
export const settle = async (session: Session): Promise<void> => {
  await session.query(`
    update notification_deliveries set status = 'uncertain', claim = null, leased_until = null, error = '${WHY}', updated_at = now()
    where status in ('pending', 'sending');
    update webhook_deliveries set status = 'failed', claim = null, leased_until = null, error = '${WHY}', updated_at = now()
    where status in ('pending', 'sending');
    update notification_alerts set told_at = now() where told_at is null;
    delete from notification_windows where due_at is not null`)
}

const WHY = 'It was on its way when the backup was taken that this workspace was restored from.'

/** Work that waited, or was under way, goes on. */
export const addTasks = async (session: Session): Promise<void> => {
  await session.query(`
    select graphile_worker.add_job(identifier => t.identifier, payload => t.payload, queue_name => t.queue_name, run_at => t.run_at,
      max_attempts => t.max_attempts, job_key => t.key, priority => t.priority)
    from restored_tasks t`)
}
