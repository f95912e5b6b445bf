/** Common given names: enough to distinguish a column of people's names from one of product names. */
const TEXT = `
james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony mark donald steven paul andrew joshua
kenneth kevin brian george edward ronald timothy jason jeffrey ryan jacob gary nicholas eric jonathan stephen larry justin scott brandon benjamin
samuel gregory frank alexander raymond patrick jack dennis jerry tyler aaron jose adam henry nathan douglas zachary peter kyle noah ethan liam
mary patricia jennifer linda elizabeth barbara susan jessica sarah karen lisa nancy betty margaret sandra ashley kimberly emily donna michelle
carol amanda dorothy melissa deborah stephanie rebecca sharon laura cynthia kathleen amy angela shirley anna brenda pamela emma nicole helen
samantha katherine christine debra rachel carolyn janet catherine maria heather diane ruth julie olivia joyce virginia sophia isabella mia charlotte
grace alice julia claire lucy ella chloe hannah lily zoe eva nora leah stella violet hazel aurora eleanor
hans peter wolfgang klaus jurgen jürgen dieter manfred uwe gunter günter horst bernd karl heinz werner gerhard walter helmut stefan andreas michael
thomas christian sebastian florian tobias matthias markus martin jan jonas lukas lucas finn leon felix maximilian paul elias ben luca moritz jakob
ursula monika petra sabine renate helga karin brigitte ingrid erika christa gisela andrea claudia susanne birgit heike anja katrin kathrin katja
stefanie julia lena lea leonie mia marie sophie johanna clara klara frieda greta lina ida
jean pierre michel andre andré philippe alain bernard patrick nicolas francois françois laurent christophe olivier julien sylvain antoine camille
hugo louis gabriel arthur jules raphael raphaël mathis theo théo nathalie isabelle sylvie valerie valérie monique francoise françoise chantal
celine céline aurelie aurélie manon lea léa ines inès jade louise margaux
antonio jose josé manuel francisco juan javier carlos miguel rafael pedro angel ángel alejandro fernando pablo jorge luis sergio alberto diego
carmen ana isabel pilar dolores lucia lucía cristina marta elena paula raquel rosa beatriz silvia irene alba
giuseppe giovanni mario luigi angelo vincenzo salvatore franco domenico marco matteo lorenzo alessandro andrea davide simone giulia francesca
chiara federica valentina alessia martina giorgia elisa ginevra
piotr krzysztof andrzej tomasz jan stanislaw stanisław pawel paweł marcin michal michał grzegorz jakub katarzyna malgorzata małgorzata agnieszka
krystyna barbara ewa elzbieta elżbieta zofia janina teresa magdalena
erik lars anders johan per nils karl sven gustav oskar axel emil astrid ingrid freja elsa maja saga linnea kari anne bjorn björn ole magnus
mikko juhani timo matti jari antti kari aino helmi maija
joao joão tiago goncalo gonçalo rui nuno ricardo bruno rodrigo mariana beatriz catarina leonor matilde gabriela fernanda juliana camila leticia letícia
ivan dmitri sergey sergei alexei vladimir nikolai mikhail igor oleg olga natalia svetlana tatiana ekaterina irina anastasia yulia
mohammed muhammad mohamed ahmed ahmad ali hassan hussein omar ibrahim yusuf khalid mustafa fatima aisha maryam zainab khadija layla amina
mehmet mustafa emre murat ayse ayşe elif zeynep
raj rahul amit sanjay vijay anil sunil ravi arjun aarav vivaan priya anjali neha pooja sunita kavita divya ananya deepak rohit suresh ramesh
wei li ming jun hui yan fang jing lei xin hiroshi takashi kenji yuki haruto sakura yui aoi hana kenta minjun jiwoo seo
kwame kofi amara chidi ngozi thabo sipho nomsa abebe juma`

export const GIVEN_NAMES: ReadonlySet<string> = new Set(TEXT.trim().split(/\s+/))
