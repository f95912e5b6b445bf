/**
 * Abbreviations in the names of tables and columns, by the full form: in English, German, Spanish and French. A full form can have several
 * words. An abbreviation of several full forms stands in each of them. `~` marks one that is rare in this meaning, or that is also an
 * everyday word.
 */
export const ABBREVIATIONS = `
abbreviation: abbr abbrev
absolute: abs
academic: acad
acceptance: accpt
access: ~acc
account: acct acc accnt acnt ~ac
accounting: acctg acctng
accounts payable: ~ap
accounts receivable: ~ar
accumulated: accum acum
acknowledgement: ack
acquisition: acq
action: actn
activity: actv ~act actvty
actual: ~act actl
additional: addl addtl
address: addr adr adrs
adjusted: adj
adjustment: adj adjmt adjst
administration: admin adm
administrator: admin
advertisement: ~ad advert
advertising: adv ~ads
affiliate: affil
agency: agcy agy
agent: agt
aggregate: agg aggr
aggregated: agg aggr
aggregation: agg aggr
agreement: agrmt agmt agr
alias: als
allocation: alloc
allowance: alw
alternate: ~alt
alternative: ~alt
amortization: amort
amount: amt amnt
analysis: anls
analytics: anlyt
annual: ann anl
annual recurring revenue: arr
answer: ans
apartment: apt
appendix: appx
applicant: appl
application: app appl apl
appointment: appt apptmt
approval: appr aprvl apvl
approved: appr aprvd
approximate: approx
april: apr
architecture: arch
archive: arch
argument: arg
arrival: arrv
article: art artcl
assembly: asm assy
assessment: asmt assmt
asset: ast asst
assigned: asgn assgd
assignment: asgmt assgn
assistant: asst
association: assoc assn
attachment: atch attach
attendance: attd attnd
attribute: attr attrib
attribution: attrib
august: aug
authentication: auth authn
authorization: auth authz
automatic: ~auto
auxiliary: aux
available: avail avl
average: avg ~av
average order value: aov
background: bg
backlog: bklg
backup: bkp bak bkup
balance: bal blnc
bank: bnk
barcode: bc
batch: btch
begin: beg bgn
beginning: beg
beneficiary: bene benef
benefit: ben bnft
bill of materials: bom
billing: ~bill blg bllg
billion: bn
birth: brth
birthday: bday
block: blk
board: brd
body mass index: bmi
boolean: bool
booking: bkg bkng
branch: ~br brnch
brand: brnd
broker: brkr
budget: bdgt bud budg
buffer: buf
building: bldg bld
bureau: bur
business: ~bus biz bsns
business unit: bu
business to business: b2b
business to consumer: b2c
button: btn
buyer: byr
calculated: calc clc
calculation: calc
calendar: cal cldr
campaign: ~camp cmpgn cpgn cmp
cancellation: cncl canc cxl
cancelled: cncl canc cxl
candidate: cand
capacity: ~cap cpcty
capital: ~cap
capital expenditure: capex
card: crd
carrier: carr crr
cash on delivery: ~cod
catalog: ~cat ctlg
category: ~cat ctg catg ctgry categ
center: ctr cntr
central: cntrl
certificate: cert
certification: cert
chain: chn
change: chg chng
channel: chnl chan ~ch
chapter: chap
character: char chr
charge: chrg chg
chart of accounts: coa
check: chk
child: chld
circuit: ckt
claim: clm
class: cls clss
classification: clsf classif
click: clk
click through rate: ctr
client: clnt cli clt
clinical: clin
close: cls
cluster: clstr
code: cd ~cod
collateral: coll
collection: coll colln
color: clr col
column: col clm
command: cmd
comment: cmt cmnt comm
commercial: cmrcl
commission: comm cmsn comsn
committee: cmte
commodity: cmdty commod
common: cmn
communication: comms
company: co ~comp cmpy cmpny
comparison: cmp compar
compensation: ~comp
competitor: ~comp
complaint: cmplt cmpl
complete: compl cmplt
completed: compl cmpltd
component: ~comp cmpnt cmp
condition: cond
conference: conf
configuration: config cfg conf
confirmation: conf cnfrm
confirmed: conf
connection: conn cnxn
consent: cnsnt
constant: const
construction: constr
consumer: ~cons cnsmr
consumption: ~cons consmp
contact: cont cntct ctc
container: cntr ctnr
content: cntnt
contract: contr cntrct cont ctrct
contribution: contrib
control: ctrl cntl ctl
conversion: conv cnv cvr
coordinate: coord
corporate: corp
corporation: corp
correction: corr
correlation: corr
cost: cst
cost center: cc
cost of goods sold: cogs
cost per acquisition: cpa
cost per click: cpc
cost per mille: cpm
count: cnt ct
counter: cntr ctr
counterparty: cpty ~cp
country: cntry ctry
county: cnty
coupon: cpn coup
course: crs
coverage: cov cvg
create: crt
created: crt crtd creat cre
creation: crt creat cre
credit: cr crdt cred
credit card: cc
criteria: crit
cumulative: cum cuml
currency: ccy curr cur crncy ~cy
current: curr cur crnt
customer: cust cstmr cus custr cst ctm
customer acquisition cost: cac
customer lifetime value: clv cltv ltv
customer number: kunnr
customer relationship management: crm
customer satisfaction: csat
daily: dly
daily active users: dau
dashboard: dash dshbd
data: dat
data warehouse: dwh dw edw
database: db dbase
date: dt dte
date of birth: dob
day: ~dy
days sales outstanding: dso
debit: dr dbt deb
december: ~dec
decision: decn
decimal: ~dec
default: dflt def deflt
definition: def defn
degree: deg
deleted: del dltd
delivered: dlvd delvd
delivery: dlvr dlvry deliv dlv dely del
demographic: ~demo
denominator: denom
department: dept dep dpt
departure: dep dept
dependent: dep
deposit: dep dpst
depreciation: depr deprec
description: desc descr dscr dsc descrip
destination: dest dst
detail: det dtl
details: dtls dtl det
developer: dev
development: dev devt
device: dev dvc
diagnosis: diag dx
diameter: dia
dictionary: dict
difference: diff
digital: digi
dimension: dim dmn
direct: ~dir
direction: ~dir
director: ~dir
directory: ~dir
disability: disab
disbursement: disb
discount: disc dsc dscnt dcnt
display: disp
distance: dist
distribution: dist distr distrib
district: dist
distributor: dist distr
division: div dvsn
doctor: dr doc
document: doc docu
domain: ~dom dmn
domestic: ~dom
double: dbl
download: ~dl dwnld
driver: drv drvr
duplicate: dup dupl
duration: dur durn
each: ea
earnings: earn
earnings before interest and taxes: ebit
economic: econ
edition: ~ed edn
education: educ edu
effective: eff efctv
efficiency: eff
electricity: elec
electronic: elec
element: elem elt
eligible: elig
email: eml
emergency: emerg
employee: emp empl ~ee
employer: ~er
employment: empl empmt
enabled: enbl
encryption: enc
end of day: eod
end of month: eom
engagement: engmt
engineering: eng engr
english: eng ~en
enrollment: enrl enrol
enterprise: ent entp
enterprise resource planning: erp
entity: ent
entry: ent entr
environment: env environ
equipment: equip eqp eqpt
equivalent: equiv eqv
error: err
establishment: estab
estimate: est estm
estimated: est estd
estimated time of arrival: eta
evaluation: eval
event: evt evnt ev
exception: exc excp
exchange: exch xchg
exchange rate: fx fxrate
executive: exec
execution: exec
expected: ~exp expd
expense: ~exp expns
experience: ~exp
experiment: expt ~exp
expiration: ~exp expir
expiry: expy
explanation: expl
export: exp
exposure: expo
expression: expr
extended: ext xtd
extension: ext extn
external: ext extl
extract: extr
extract transform load: etl
facility: fac fclty
fact: fct ~fc ~f
factor: fac fctr
factory: fac
failure: fail
family: fam
feature: feat ftr
february: feb
federal: fed
feedback: fdbk fb
field: fld
figure: ~fig
file: ~fl
final: fnl
finance: fin
financial: fin fincl
financial year: fy
first: fst
first in first out: fifo
first name: fname firstname
fiscal: fsc fisc
fiscal year: fy
flag: flg ~fl
flight: flt
float: flt
floor: flr
folder: fldr
forecast: fcst ~fc fcast
foreign: fgn
foreign exchange: fx forex
foreign key: fk
format: fmt
forward: fwd
foundation: fdn
fraction: frac
freight: frt
frequency: freq frq
friday: fri
full time equivalent: fte
full name: fullname
fulfillment: ffl
function: func ~fn fnc
fund: fnd
future: fut
gender: gndr ~gen
general: ~gen gnl
general ledger: gl
geographic: geo
geography: geo geog
goods receipt: ~gr
goods and services tax: gst
government: gov govt
grade: grd
graph: grph
gross: grs
gross domestic product: gdp
gross merchandise value: gmv
group: grp ~gr
growth: grw
guarantee: guar gtee
handling: hndl
hardware: hw
header: hdr ~head
headquarters: hq
health: hlth
height: hgt ~ht
high: ~hi
hierarchy: hier hrchy
highest: ~hi
highway: hwy
historical: hist
history: hist hst
holding: hldg
holiday: hol
hospital: hosp
hour: hr hrs
household: ~hh hhld
human resources: hr
identification: ident id
identifier: id ident idn
identity: id
image: img
impact: ~imp
import: ~imp
impression: ~imp impr imprs
improvement: impr
inactive: inact
inbound: inb ~ib
incentive: incent
incident: inc incid
included: incl
including: incl
income: inc incm
increase: incr
increment: incr
index: idx ind indx ~ix
indicator: ind indic
individual: indiv
industry: ind indus
inflation: infl
information: info inf
infrastructure: infra
initial: init
initiative: init
input: inp
inquiry: inq
inspection: insp
instance: inst
institution: instn
instruction: instr
instrument: instr
insurance: ins insur
insured: insd
integration: integ intgr
interaction: intx intr
interest: ~int intrst
interface: intf iface
intermediate: ~int interm
internal: ~int intrnl
international: intl
interval: intvl
inventory: inv invt invty invntry
investment: inv invest invst
investor: invstr
invoice: inv invc invce
issue: iss
issuer: issr
item: itm
january: jan
job: jb
journal: jrnl jnl
july: jul
june: jun
key performance indicator: kpi
keyword: ~kw kwd
kilogram: kg
kilometer: km
kilowatt hour: kwh
label: lbl
labor: ~lab
laboratory: ~lab
language: lang lng
last: lst
last in first out: lifo
last name: lname lastname
latitude: lat
ledger: ldgr lgr
length: len lgth lng
level: lvl lev
liability: liab
library: ~lib
license: lic lcns
lifetime value: ltv
limit: lmt lim
line: ~ln
liquidity: liq
list: lst
litre: ltr
loading: ldg
loan: ~ln
local: loc lcl
location: loc lctn locn
logistics: ~log logis
longitude: lon ~long lng
lookup: lkp lkup ~lu
lower: lwr
loyalty: loy lylty
machine: mach mch
maintenance: maint mnt mtnc
management: mgmt mgt mngmt
manager: mgr mngr
mandatory: mand
manufacturer: mfr manuf mfg
manufacturing: mfg manuf mfr
march: ~mar
margin: mrgn marg
market: mkt mrkt
marketing: mktg mkt mrktg
marketing qualified lead: mql
master: mstr mst
material: mat matl mtrl
material number: matnr
mathematics: math
matrix: mtx
maximum: max mx
measure: meas msr
measurement: meas msrmt
mechanical: mech
media: ~med
medical: ~med
medication: ~med
medium: ~med
member: mbr mem memb
membership: mbrshp mship
memory: mem
merchandise: merch mdse
merchant: merch mrch
message: msg mssg
metadata: meta
meter: mtr
method: mthd meth
metric: mtrc
middle: ~mid
mileage: mlg
military: mil
million: ~mn mln mio
minimum: ~min
minute: ~min
minutes: mins ~min
miscellaneous: misc
mobile: mob mbl
model: mdl ~mod
modification: ~mod modif
modified: ~mod mdfd modif
module: ~mod mdl
monday: ~mon
money: mny
month: mth ~mon mo mnth
month to date: mtd
monthly: mthly mly
monthly active users: mau
monthly recurring revenue: mrr
mortgage: mtg mtge
multiple: mult
name: nm nme nam
national: natl nat
nationality: natl nat
navigation: nav
negative: neg
net present value: npv
net promoter score: nps
network: ~net ntwk ~nw
normal: norm
normalized: norm
notification: notif ntf
november: nov
number: num nbr nr ~no nmbr numb nmb
object: obj
objective: obj
obligation: oblig
observation: obs
occupation: occ occup
occurrence: occ occur
october: oct
offer: ofr
office: ofc
officer: ofcr
online: onl
operating: oper ~op
operating expenditure: opex
operation: oper ~op opn
operational data store: ods
operations: ops
operator: oper ~op
opportunity: opp oppty opty
option: opt optn
order: ord ordr odr
order date: orderdate odate
organization: org orgn
origin: orig
original: orig
outbound: outb ~ob
outstanding: ~os outst
overhead: ~oh ovhd
overtime: ~ot
owner: ownr
package: pkg ~pack
packet: pkt
page: pg
page view: ~pv pageview
paid: ~pd
pallet: plt
parameter: param parm prm
parent: ~par prnt
part: prt ~pt
part number: ~pn partno
participant: ~part ptcp
partition: ~part
partner: ptnr prtnr
party: pty
passenger: pax ~pass psgr
password: pwd pw passwd
patient: ~pat ~pt
payable: pybl ~pay
payload: pyld
payment: pmt pymt pmnt paymt ~pay pyt
payroll: pyrl prl
penalty: ~pen pnlty
pending: pend pndg
pension: pens
percent: pct perc prcnt
percentage: pct perc pctg
performance: perf
period: ~per prd ~pd
permanent: perm
permission: perm
person: pers prsn psn
personal: pers
personally identifiable information: pii
phase: ~ph
phone: ~ph phn tel
physical: phys
picture: pic
place: plc
planned: pln plnd
plant: plt werks
platform: ~plat pltf
point: ~pt pnt
point of sale: ~pos
points: pts
policy: pol plcy
population: ~pop
portfolio: ~port ~pf ptf
position: ~pos posn
post office: po
posting: pstg
pound: lb lbs
power: pwr
predicted: pred
prediction: pred
preference: pref
preferred: pref
premium: prem
previous: prev prv
price: prc ~pr
pricing: prcg
primary: prim pri prmry
primary key: pk
principal: prin princ
priority: prio pri prty
private: priv pvt
probability: ~prob
problem: ~prob
procedure: proc
process: proc prcs
processed: proc
processing: proc
procurement: procmt
product: prod prd prdct pdt
production: prod prd
professional: ~prof
profile: ~prof prfl
profit: prft
profit and loss: pnl ~pl
program: prog pgm prgm
project: proj prj
projected: proj
promotion: promo ~prom
property: prop
proposal: prop
provider: prov prvdr
province: prov
public: ~pub
publication: ~pub
publisher: ~pub
purchase: purch pur purc pchs
purchase order: po
purchase requisition: ~pr
quality: qual qlty
quality assurance: qa
quantity: qty qnty quant qt qnt
quarter: qtr qrt
quarter to date: qtd
quarterly: qtrly qtly
query: qry
question: qstn ques
queue: que
quota: qta
quote: quot qte
rank: rnk
rate: ~rt
rating: rtg ratg
raw material: ~rm
real estate: ~re
reason: rsn reas
receipt: rcpt rct
receivable: recv rcvbl
received: rcvd recd recv
receiver: rcvr recv
recipient: rcpt recip
recommendation: reco recom
reconciliation: recon
record: ~rec rcd
recovery: recov
recurring: recur
reduction: reduc
reference: ref rfrnc
referral: ref refrl
refund: rfnd rfd
region: reg rgn regn
regional: reg rgnl
registered: regd reg
registration: reg regis
regulatory: reg
rejected: rej rjct
relation: rel rltn
relationship: rel rltnshp
release: rel rls
religion: relig
remaining: ~rem remng
reminder: ~rem
remittance: remit rmt
renewal: renew rnwl
replacement: repl
replication: repl
report: rpt ~rep rprt
reporting: rptg
representative: ~rep
request: req rqst rqs
requested: req rqstd
required: req reqd rqd
requirement: req reqmt rqmt
requisition: req requis
research: rsrch ~res
research and development: ~rd
reservation: resv rsv ~res rsvn
reserve: rsv
resolution: ~res resol
resource: rsrc ~res
response: resp rsp
responsible: resp
restaurant: ~rest
result: ~res rslt rsl
retail: rtl
retention: ~ret retn
return: rtn ~ret rtrn
return on ad spend: roas
return on investment: roi
returned: rtn ~ret
revenue: ~rev revn rvn
review: ~rev rvw
revision: ~rev
risk: rsk
room: ~rm
route: rte ~rt
salary: sal slry
sales: sls
sales order: ~so
salesperson: slsp slspn
sample: smpl samp
satisfaction: satis ~sat
saturday: ~sat
savings: svgs
scenario: scn
schedule: sched schd sch
scheduled: sched
school: sch
score: scr
search: srch
season: seas
second: ~sec
secondary: ~sec scndry
section: sect ~sec
sector: sect ~sec
security: ~sec secur
segment: seg sgmt segm
selection: sel
seller: slr
semester: sem
sequence: seq sqn
serial: ser srl
serial number: ~sn serialno sno
server: srv svr
service: svc serv srv svce
service level agreement: sla
session: sess
settlement: setl stlmt sttl settl
severity: sev
share: shr
shareholder: shrhldr
shipment: shpmt ~ship shp shpt shipm
shipped: shp shpd
shipping: shp ~ship shpg
signature: ~sig
site: ste
situation: ~sit
slowly changing dimension: scd
snapshot: snap snp
social security number: ssn
software: ~sw
software as a service: saas
solution: soln
source: src srce
space: spc
special: ~spec spcl
specialist: ~spec
specification: ~spec
square: ~sq
square feet: sqft
staging: stg stag ~stage
standard: std stnd stdd
standard deviation: stddev stdev
standard operating procedure: sop
start: strt ~st
state: ~st stat
statement: stmt
station: stn sta
statistic: stat
statistics: stats stat
status: sts stat stts sta stus
step: stp
stock: stk
stock keeping unit: sku
storage: stor strg
store: str stor
strategy: strat
street: ~st str
structure: struct
student: stu stud
subject: subj ~sub
submission: subm
submitted: subm
subscriber: subscr ~sub subs
subscription: subscr ~sub subs subsc
subsidiary: subs
subtotal: subtot
success: succ
sum: ~sm
summary: ~sum summ smry smy
sunday: ~sun
supervisor: supv supvr
supplement: suppl
supplier: supp sup suppl splr spplr lifnr
supply: sply
supply chain management: scm
surcharge: surch
surgery: surg
surrogate key: sk
survey: surv svy srvy
symbol: sym
synchronization: sync
system: sys syst
table: tbl ~tab ~tb
target: tgt trg targ
tax: tx
tax identification number: ~tin
team: ~tm
technical: ~tech
technician: ~tech
technology: ~tech
telephone: tel teleph
temperature: ~temp tmp
temporary: ~temp tmp
terminal: ~term
termination: ~term
territory: terr tty
test: tst
text: txt
thousand: ~th tsd
threshold: thr thresh thrshld
thursday: thu
ticket: tkt tckt
time: ~tm
time zone: tz timezone
timestamp: ts tstamp tmstmp timest tmst
title: ttl
token: tkn tok
tolerance: tol
topic: tpc
total: tot ttl
tracking: trk trkg
trade: trd
training: trng ~train
transaction: txn trx trans trn tran tx trxn tranx
transfer: xfer trf transf tfr
transformation: xform transf
translation: transl
transport: transp tpt
transportation: transp
travel: trvl
treatment: tx trmt
trigger: trig trg
tuesday: tue
type: typ ~tp ~ty
unemployment: unemp
unique: uniq unq
unique identifier: uid uuid guid
unit: ~un unt
unit of measure: uom
university: univ ~uni
updated: upd updt
update: upd updt
upload: ~ul upld
upper: upr
usage: usg
user: usr ~u
user agent: ~ua
username: uname usrnm
user name: uname
utilization: util utlz
vacation: vac
vaccination: vacc vax
value: ~val ~vl
value added tax: vat mwst
variable: var
variance: var
variant: var vrnt
vehicle: veh vhcl
vehicle identification number: vin
vendor: vndr vend ven vnd lifnr
verification: verif vrfy
verified: verif vrfd
version: ver vers vrsn
video: vid
visit: vis vst
visitor: vis vstr
volume: vol
voucher: vchr vouch
warehouse: whse ~wh whs wrhs whouse
warning: warn wrn
warranty: warr wrnty wty
wednesday: wed
week: wk
week to date: wtd
weekly: wkly
weight: wgt wt
weighted: wgtd wtd
wholesale: whsl
width: wdt
withdrawal: wdrl ~wd
without: ~wo
work: wrk
work order: ~wo
worker: wrkr
workflow: wf
yard: ~yd
year: yr
year over year: yoy
year to date: ytd
yearly: yrly
zone: zn

abteilung: abt
adresse: adr anschr
angestellter: ang
anzahl: anz
artikel: art
auftrag: auftr auft
ausgabe: ausg
bemerkung: bem
beschreibung: beschr
bestand: best bstd
bestellung: best bestell
betrag: betr btrg
bezeichnung: bez bezeichn
buchung: buch bchg
datum: dat
durchschnitt: durchschn ~ds
einheit: einh
einkauf: ek eink
eingang: eing
geburtsdatum: gebdat gebdatum
gesamt: ges
geschlecht: geschl
gruppe: grp
gueltig: glt gult
haendler: hdl
kategorie: kat
kosten: kst
kostenstelle: kst kostl
kunde: kd kde knd kun
kundennummer: kdnr kundennr
lieferant: lief lft
lieferung: lief lfg
mehrwertsteuer: mwst
menge: mng mge
mitarbeiter: ~ma mitarb
monat: ~mon
nummer: nr num
postleitzahl: plz
preis: prs
produkt: prod
rechnung: rech ~rg rechn
schluessel: schl
steuer: ~st
strasse: str
summe: ~sum
tabelle: ~tab
umsatz: ums
verkauf: vk verk
vertrag: vertr vtr
vertreter: vertr
vorname: ~vn vorn
waehrung: waehr whrg wkz
werk: wrk

cantidad: cant ctd
cliente: cli clte
codigo: ~cod
compania: cia
descripcion: desc
direccion: ~dir direcc
documento: doc
empleado: empl
factura: fac fact
fecha: fec fch
importe: ~imp impte
municipio: mpio
numero: num nro ~no
pagina: pag
pedido: ped
precio: prec
producto: prod
proveedor: prov
provincia: prov
sucursal: suc
telefono: tel telf tfno
usuario: usu
venta: vta
ventas: vtas

commande: cmd cde
compte: cpte
designation: desig
facture: fact fac
fournisseur: fourn frn
libelle: ~lib libel
montant: mnt mont mtt
prenom: pren
produit: prod prd
quantite: qte
societe: ste soc
utilisateur: util
`
