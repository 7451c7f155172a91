<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en">
<context>
        <name>Findings</name>
        <message numerus="yes">
            <source>“%1” has %n picture(s)</source>
            <translation>
                <numerusform>“%1” has %n picture</numerusform>
                <numerusform>“%1” has %n pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Only %n picture(s) held out for checking</source>
            <translation>
                <numerusform>Only %n picture held out for checking</numerusform>
                <numerusform>Only %n pictures held out for checking</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>Messages</name>
        <message numerus="yes">
            <source>Must have %n value(s).</source>
            <translation>
                <numerusform>Must have %n value.</numerusform>
                <numerusform>Must have %n values.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at least %n value(s).</source>
            <translation>
                <numerusform>Must have at least %n value.</numerusform>
                <numerusform>Must have at least %n values.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Must have at most %n value(s).</source>
            <translation>
                <numerusform>Must have at most %n value.</numerusform>
                <numerusform>Must have at most %n values.</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::ComputerPage</name>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n thread(s)</source>
            <translation>
                <numerusform>%n thread</numerusform>
                <numerusform>%n threads</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n socket(s)</source>
            <translation>
                <numerusform>%n socket</numerusform>
                <numerusform>%n sockets</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::DataPage</name>
        <message numerus="yes">
            <source>%Ln picture(s)</source>
            <translation>
                <numerusform>%Ln picture</numerusform>
                <numerusform>%Ln pictures</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln class(es)</source>
            <translation>
                <numerusform>%Ln class</numerusform>
                <numerusform>%Ln classes</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::HomePage</name>
        <message numerus="yes">
            <source>%n core(s)</source>
            <translation>
                <numerusform>%n core</numerusform>
                <numerusform>%n cores</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>All %n runs</source>
            <translation>
                <numerusform>All %n run</numerusform>
                <numerusform>All %n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::MainWindow</name>
        <message numerus="yes">
            <source>Not started: %n value(s) to fix, first “%1”.</source>
            <translation>
                <numerusform>Not started: %n value to fix, first “%1”.</numerusform>
                <numerusform>Not started: %n values to fix, first “%1”.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n runs keep training.</source>
            <translation>
                <numerusform>%n run keeps training.</numerusform>
                <numerusform>%n runs keep training.</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::ModelPage</name>
        <message numerus="yes">
            <source>Your data has %n class(es).</source>
            <translation>
                <numerusform>Your data has %n class.</numerusform>
                <numerusform>Your data has %n classes.</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::TopBar</name>
        <message numerus="yes">
            <source>%1 is training with other settings: %n difference(s)</source>
            <translation>
                <numerusform>%1 is training with other settings: %n difference</numerusform>
                <numerusform>%1 is training with other settings: %n differences</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n value(s) to fix: %1</source>
            <translation>
                <numerusform>%n value to fix: %1</numerusform>
                <numerusform>%n values to fix: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>and %n more</source>
            <translation>
                <numerusform>and %n more</numerusform>
                <numerusform>and %n more</numerusform>
            </translation>
        </message>
    </context>
<context>
        <name>trainyard::ui::TrainPage</name>
        <message numerus="yes">
            <source>%Ln update(s) in all</source>
            <translation>
                <numerusform>%Ln update in all</numerusform>
                <numerusform>%Ln updates in all</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%Ln update(s) per epoch</source>
            <translation>
                <numerusform>%Ln update per epoch</numerusform>
                <numerusform>%Ln updates per epoch</numerusform>
            </translation>
        </message>
    </context>
</TS>
