-- The span in which an activity was recorded (W3C Trace Context): deliveries about it continue its trace. Null without tracing.
alter table activities add column traceparent text;
